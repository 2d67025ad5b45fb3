package io.plat.tests.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Policies that may have been in effect at each moment, according to writes and observations outside of the deciding processes, and the
 * decisions made meanwhile. Thread-safe.
 */
final class PolicyModel {
    private final List<Revision> revisions = new CopyOnWriteArrayList<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    /**
     * A policy.
     *
     * @param allowed users that it allows
     * @param written time before it was written
     * @param seen times at which each proxy first reported it
     */
    record Revision(Set<String> allowed, long written, Map<String, Long> seen) {}

    /**
     * A decision.
     *
     * @param proxy proxy that returned it
     * @param requestedAt time of the request
     * @param answeredAt time of the response
     */
    record Answer(String proxy, String user, long requestedAt, long answeredAt, boolean allowed) {}

    Revision written(Set<String> allowed, long moment) {
        Revision revision = new Revision(Set.copyOf(allowed), moment, new ConcurrentHashMap<>());
        revisions.add(revision);
        return revision;
    }

    void record(Answer answer) {
        answers.add(answer);
    }

    int answers() {
        return answers.size();
    }

    /** Returns the decisions that no possible revision explains. */
    List<Answer> violations() {
        List<Answer> wrong = new ArrayList<>();
        for (Answer answer : answers) {
            if (!explained(answer)) {
                wrong.add(answer);
            }
        }
        return wrong;
    }

    private boolean explained(Answer answer) {
        // Revisions are ordered by time; the latest ones explain most decisions.
        for (int i = revisions.size() - 1; i >= 0; i--) {
            Revision revision = revisions.get(i);
            long replaced = i + 1 == revisions.size()
                    ? Long.MAX_VALUE
                    : revisions.get(i + 1).seen().getOrDefault(answer.proxy(), Long.MAX_VALUE);
            if (replaced - answer.requestedAt() < 0) {
                return false;
            }
            if (revision.written() - answer.answeredAt() <= 0
                    && revision.allowed().contains(answer.user()) == answer.allowed()) {
                return true;
            }
        }
        return false;
    }
}
