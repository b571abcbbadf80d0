"""Sixteen gathers at once, and sixteen steps of Myers' recurrence, as vector instructions.

A loop such as ``out[x] = max(out[x], table[index[x]])`` is left scalar by compilers, since they
can't know that `out` and `table` are apart. These intrinsics say so. Where the processor has no
gather instruction the compiler takes the lanes one by one: same result, less speed.
"""

# ruff: noqa: ARG001 (numba passes all, and an intrinsic reads them from its signature)
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WIDTH = 16
"""Lanes of one step; what is handled at once must be within the arrays."""

_LONG, _INT, _REAL = ir.IntType(64), ir.IntType(32), ir.FloatType()


def _point_at(context: Any, builder: Any, kind: Any, array: Any, place: Any, item: Any) -> Any:
    """Address of `WIDTH` items of an array from `place` on."""
    data = context.make_array(kind)(context, builder, array).data
    start = builder.gep(builder.bitcast(data, item.as_pointer()), [place])
    return builder.bitcast(start, ir.VectorType(item, WIDTH).as_pointer())


def _load_vector(context: Any, builder: Any, kind: Any, array: Any, place: Any, item: Any) -> Any:
    return builder.load(_point_at(context, builder, kind, array, place, item), align=1)


def _gather_items(context: Any, builder: Any, kind: Any, array: Any, index: Any, item: Any) -> Any:
    """The items of an array at a vector of indices."""
    data = context.make_array(kind)(context, builder, array).data
    base = builder.bitcast(data, item.as_pointer())
    wide = builder.zext(index, ir.VectorType(_LONG, WIDTH))
    start = builder.ptrtoint(base, _LONG)
    spread = _splat_value(builder, start, _LONG)
    size = ir.Constant(ir.VectorType(_LONG, WIDTH), [4] * WIDTH)
    pointers = ir.VectorType(item.as_pointer(), WIDTH)
    places = builder.inttoptr(builder.add(spread, builder.mul(wide, size)), pointers)
    values = ir.VectorType(item, WIDTH)
    bits = ir.VectorType(ir.IntType(1), WIDTH)
    suffix = "f32" if item == _REAL else "i32"
    signature = ir.FunctionType(values, [pointers, _INT, bits, values])
    function = _declare_function(
        builder, f"llvm.masked.gather.v{WIDTH}{suffix}.v{WIDTH}p0", signature
    )
    every = ir.Constant(bits, [1] * WIDTH)
    none = ir.Constant(values, ir.Undefined)
    return builder.call(function, [places, ir.Constant(_INT, 4), every, none])


def _declare_function(builder: Any, name: str, signature: Any) -> Any:
    module = builder.module
    return module.globals.get(name) or ir.Function(module, signature, name)


def _splat_value(builder: Any, value: Any, item: Any) -> Any:
    kind = ir.VectorType(item, WIDTH)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(_INT, 0))
    order = ir.Constant(ir.VectorType(_INT, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), order)


def _select_smaller(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", a, b), a, b)


def _select_larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _make_gather(combine: Callable[[Any, Any, Any], Any] | None) -> Any:
    def gather_into(typing: Any, out: Any, at: Any, table: Any, index: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kinds = signature.args
            codes = _load_vector(context, builder, kinds[3], arguments[3], arguments[4], _INT)
            found = _gather_items(context, builder, kinds[2], arguments[2], codes, _REAL)
            target = _point_at(context, builder, kinds[0], arguments[0], arguments[1], _REAL)
            if combine is not None:
                found = combine(builder, builder.load(target, align=1), found)
            builder.store(found, target, align=1)
            return context.get_dummy_value()

        return types.void(out, types.int64, table, index, types.int64), generate

    return gather_into


gather = intrinsic(_make_gather(None))
"""``gather(out, at, table, index, place)``: ``out[at + x] = table[index[place + x]]``, x < 16."""

gather_add = intrinsic(_make_gather(lambda builder, old, new: builder.fadd(old, new)))
"""As `gather`, adding to what is there."""

gather_min = intrinsic(_make_gather(_select_smaller))
"""As `gather`, keeping what is smaller; float32 values, uint32 indices."""

gather_max = intrinsic(_make_gather(_select_larger))
"""As `gather`, keeping what is larger."""


@intrinsic
def gather_sum(
    typing: Any,
    out: Any,
    at: Any,
    moments: Any,
    now: Any,
    first: Any,
    first_index: Any,
    second: Any,
    second_index: Any,
    place: Any,
) -> Any:
    """``out[at + x] = |moments[p] − now| + first[first_index[p]] + second[second_index[p]]``.

    For p = place + x, x < 16; float32 values, uint32 indices.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        place = arguments[8]
        when = _load_vector(context, builder, kinds[2], arguments[2], place, _REAL)
        step = builder.fsub(when, _splat_value(builder, arguments[3], _REAL))
        back = builder.fsub(_splat_value(builder, arguments[3], _REAL), when)
        total = _select_larger(builder, step, back)
        for table, index in ((4, 5), (6, 7)):
            codes = _load_vector(context, builder, kinds[index], arguments[index], place, _INT)
            part = _gather_items(context, builder, kinds[table], arguments[table], codes, _REAL)
            total = builder.fadd(total, part)
        target = _point_at(context, builder, kinds[0], arguments[0], arguments[1], _REAL)
        builder.store(total, target, align=1)
        return context.get_dummy_value()

    tables = (out, types.int64, moments, types.float32, first, first_index, second, second_index)
    return types.void(*tables, types.int64), generate


@intrinsic
def myers_step(
    typing: Any,
    peq: Any,
    letters: Any,
    place: Any,
    top: Any,
    plus: Any,
    minus: Any,
    score: Any,
    at: Any,
) -> Any:
    """One letter of sixteen words against a pattern of up to 32 (Myers 1999, in one word).

    `peq` uint32 by letter, `letters` uint16 read at ``place + x``; `plus`, `minus` uint32 and
    `score` int32 are the state at ``at + x``; `top` has the bit of the pattern's last letter.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        vector = ir.VectorType(_INT, WIDTH)
        short = _load_vector(context, builder, kinds[1], arguments[1], arguments[2], ir.IntType(16))
        equal = _gather_items(
            context, builder, kinds[0], arguments[0], builder.zext(short, vector), _INT
        )
        cells = [
            _point_at(context, builder, kinds[i], arguments[i], arguments[7], _INT)
            for i in (4, 5, 6)
        ]
        vp, vn, score = (builder.load(cell, align=1) for cell in cells)
        last = _splat_value(builder, arguments[3], _INT)
        zero, one = (ir.Constant(vector, [number] * WIDTH) for number in (0, 1))
        carried = builder.xor(builder.add(builder.and_(equal, vp), vp), vp)
        diagonal = builder.or_(builder.or_(carried, equal), vn)
        up = builder.or_(vn, builder.not_(builder.or_(diagonal, vp)))
        down = builder.and_(diagonal, vp)
        for step, change in ((up, builder.add), (down, builder.sub)):
            hit = builder.icmp_unsigned("!=", builder.and_(step, last), zero)
            score = change(score, builder.zext(hit, vector))
        up = builder.or_(builder.shl(up, one), one)
        down = builder.shl(down, one)
        builder.store(builder.or_(down, builder.not_(builder.or_(diagonal, up))), cells[0], align=1)
        builder.store(builder.and_(up, diagonal), cells[1], align=1)
        builder.store(score, cells[2], align=1)
        return context.get_dummy_value()

    arrays = (peq, letters, types.int64, types.uint32, plus, minus, score, types.int64)
    return types.void(*arrays), generate
