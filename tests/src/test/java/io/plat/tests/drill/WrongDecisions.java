package io.plat.tests.drill;

import io.plat.tests.drill.Observations.RecordedDecision;
import java.util.List;

/**
 * Finds forbidden requests that were let through, regardless of the response, and allowed ones that were denied; a failing decider makes no
 * decision.
 */
final class WrongDecisions {
    private WrongDecisions() {}

    static List<Violation> in(Observations observations) {
        return observations.answers().stream()
                .filter(WrongDecisions::isWrong)
                .map(answer -> new Violation(
                        Violation.Kind.DECISION,
                        answer.what() + " was answered " + answer.code() + " at " + answer.at() + " ns"
                                + (answer.allowed() ? ", though it is allowed" : ", though it is not allowed")))
                .toList();
    }

    private static boolean isWrong(RecordedDecision answer) {
        return answer.allowed()
                ? answer.code() == 401 || answer.code() == 403
                : answer.code() < 500 && answer.code() != 403 && answer.code() != 429;
    }
}
