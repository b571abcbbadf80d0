"""The value of a parameter at which a figure that a method expects becomes what is wanted.

For figures without a formula that could be turned round (the share that is kept, PEL): the
method's own outlook, which draws no noise, is asked at a few values and then between the two that
lie around what is wanted. That takes some `POINTS` + `HALVINGS` outlooks of the sample.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from auditor.engine.suppressed_content import expect_suppression
from auditor.errors import MissingInput, ParameterError
from auditor.figures import SHARE, MetricValue, format_share
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase
from auditor.methods.base import Method
from auditor.params import ParamKind, Params, ParamSpec
from auditor.progress import Progress, SilentProgress

POINTS = 9
"""Values across the slider that are looked at first: between two of them a figure may only rise
or fall, or it is not found."""
HALVINGS = 12
CLOSE = 1e-3
"""Share of the figure's whole range that a found one may be off."""
_NOT_EXPECTED = as_phrase("This method says nothing of that metric before a run. Choose another.")


def solvable_parameters(params: type[Params], main: Sequence[str] = ()) -> tuple[ParamSpec, ...]:
    """The parameters that can be looked for: numbers with a slider, the `main` ones first."""
    numbers = (ParamKind.INTEGER, ParamKind.REAL)
    specs = [s for s in params.specs() if s.kind in numbers and s.slider is not None]
    return tuple(sorted(specs, key=lambda s: main.index(s.name) if s.name in main else len(main)))


def solve_parameter(
    method: Method,
    params: Params,
    parameter: str,
    figure: str,
    target: float,
    sample: QueryLog,
    scale: float,
    progress: Progress,
) -> Params:
    """`params` with `parameter` set so that the outlook's `figure` is nearest to `target`.

    Of several places the one nearest to the present value is taken. Raises `ParameterError`, which
    says what can be reached, where no value within the slider's range reaches it, and
    `MissingInput` where the method expects no such figure.
    """
    spec = params.spec(parameter)
    is_integer = spec.kind is ParamKind.INTEGER
    if (outlook := method.outlook) is None:
        raise MissingInput(_NOT_EXPECTED)
    silent = SilentProgress(progress)
    metrics: dict[float, MetricValue] = {}

    def set_value(value: float) -> Params:
        return params.replace(**{parameter: round(value) if is_integer else value})

    def expect(value: float) -> float:
        if value not in metrics:
            progress.check()
            changed_params = set_value(value)
            expected = outlook(sample, changed_params, scale=scale, progress=silent)
            expected = expect_suppression(expected, sample, changed_params, silent)
            if not (matches := [metric for metric in expected.values if metric.name == figure]):
                raise MissingInput(_NOT_EXPECTED)
            metrics[value] = matches[0]
            progress.advance()
        return metrics[value].value

    progress.stage("looking for the value", POINTS + HALVINGS)
    places = _list_values(spec)
    values = [expect(place) for place in places]
    around = [
        (a, b)
        for a, b in pairwise(places)
        if min(expect(a), expect(b)) <= target <= max(expect(a), expect(b))
    ]
    if not around:
        show = format_share if metrics[places[-1]].unit == SHARE else "{:.4g}".format
        bounds = {"low": show(min(values)), "high": show(max(values))}
        facts = {"label": as_phrase(spec.label), "least": places[0], "most": places[-1]}
        if bounds["low"] == bounds["high"]:
            message = sentence("solver.metric_whatever_choose_another", low=bounds["low"], **facts)
        else:
            message = sentence("solver.metric_between_choose_value", **facts, **bounds)
        raise ParameterError(parameter, message)
    present = float(getattr(params, parameter) or places[0])
    low, high = min(around, key=lambda pair: abs(pair[0] + pair[1] - 2 * present))
    points, rising = [low, high], expect(high) >= expect(low)
    close = CLOSE * (max(values) - min(values))
    for _ in range(HALVINGS):
        middle = (low * high) ** 0.5 if spec.scale == "log" and low > 0 else (low + high) / 2
        middle = float(round(middle)) if is_integer else middle
        if middle in (low, high):
            break
        points.append(middle)
        if abs(expect(middle) - target) <= close:
            break
        if (expect(middle) < target) == rising:
            low = middle
        else:
            high = middle
    return set_value(min(points, key=lambda place: abs(expect(place) - target)))


def _list_values(spec: ParamSpec) -> list[float]:
    """Values across the slider, evenly apart on its scale; an open end is moved a bit inside."""
    assert spec.slider is not None
    low, high = spec.slider
    even = np.geomspace if spec.scale == "log" and low > 0 else np.linspace
    places = [float(place) for place in even(low, high, POINTS)]
    if spec.kind is ParamKind.INTEGER:
        return sorted({float(round(place)) for place in places})
    step = (high - low) / 1000
    neighbours = (place + step if place <= low else place - step for place in places)
    return [
        place if spec.bounds is None or place in spec.bounds else moved
        for place, moved in zip(places, neighbours, strict=True)
    ]
