package io.plat.tests.drill;

import io.plat.tests.drill.Seen.Answered;
import java.util.List;

/**
 * Finds requests that were let through though they are not allowed, whatever their answer otherwise, and those that are allowed and were
 * called forbidden: a decider that fails is no decision.
 */
final class WrongDecisions {
    private WrongDecisions() {}

    static List<Violation> in(Seen seen) {
        return seen.answers().stream()
                .filter(WrongDecisions::isWrong)
                .map(answer -> new Violation(
                        Violation.Kind.DECISION,
                        answer.what() + " was answered " + answer.code() + " at " + answer.at() + " ns"
                                + (answer.allowed() ? ", though it is allowed" : ", though it is not allowed")))
                .toList();
    }

    private static boolean isWrong(Answered answer) {
        return answer.allowed()
                ? answer.code() == 401 || answer.code() == 403
                : answer.code() < 500 && answer.code() != 403 && answer.code() != 429;
    }
}
