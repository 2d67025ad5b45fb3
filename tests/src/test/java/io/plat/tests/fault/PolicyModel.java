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
 * The policies that could have been in effect at any moment, by what was written and seen outside of the processes that decide by them, and
 * the answers that were given meanwhile. For any number of threads.
 */
final class PolicyModel {
    private final List<Revision> revisions = new CopyOnWriteArrayList<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    /**
     * A policy.
     *
     * @param allowed the users that it allows
     * @param written the moment before it was written
     * @param seen when each door first showed it
     */
    record Revision(Set<String> allowed, long written, Map<String, Long> seen) {}

    /**
     * An answer.
     *
     * @param door who gave it
     * @param asked when it was requested
     * @param answered when it had come
     */
    record Answer(String door, String user, long asked, long answered, boolean allowed) {}

    Revision written(Set<String> allowed, long moment) {
        Revision revision = new Revision(Set.copyOf(allowed), moment, new ConcurrentHashMap<>());
        revisions.add(revision);
        return revision;
    }

    void answered(Answer answer) {
        answers.add(answer);
    }

    int answers() {
        return answers.size();
    }

    /** The answers that no revision possible at the time explains. */
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
        // Revisions are in the order of their moments; the last ones explain most.
        for (int i = revisions.size() - 1; i >= 0; i--) {
            Revision revision = revisions.get(i);
            long replaced = i + 1 == revisions.size()
                    ? Long.MAX_VALUE
                    : revisions.get(i + 1).seen().getOrDefault(answer.door(), Long.MAX_VALUE);
            if (replaced - answer.asked() < 0) {
                return false;
            }
            if (revision.written() - answer.answered() <= 0
                    && revision.allowed().contains(answer.user()) == answer.allowed()) {
                return true;
            }
        }
        return false;
    }
}
