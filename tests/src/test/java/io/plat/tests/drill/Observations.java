package io.plat.tests.drill;

import io.plat.tests.linear.Operation;
import java.util.List;
import java.util.Map;

/**
 * Observations of clients, with their times. Times are nanoseconds of one clock.
 *
 * @param operations what was asked of registers, and answered
 * @param acknowledged the writes that were answered with success
 * @param watches what each watcher was told
 * @param finished what there is at the end
 * @param answers what was answered to those who may do everything, and to those who may do nothing
 * @param served when writes through a server succeeded
 * @param faults what went wrong meanwhile
 */
record Seen(
        List<Operation> operations,
        List<Acknowledged> acknowledged,
        List<Watched> watches,
        Finished finished,
        List<Answered> answers,
        List<Served> served,
        List<Befallen> faults) {
    Seen {
        operations = List.copyOf(operations);
        acknowledged = List.copyOf(acknowledged);
        watches = List.copyOf(watches);
        answers = List.copyOf(answers);
        served = List.copyOf(served);
        faults = List.copyOf(faults);
    }

    /**
     * A write that a client was told of as done.
     *
     * @param name the object
     * @param state the state that it was given, or that it had when it was removed; no two writes give the same
     * @param removal whether it was removed
     */
    record Acknowledged(String name, long state, boolean removal) {}

    /**
     * A change that a watcher was told.
     *
     * @param type ADDED, MODIFIED or DELETED; ERROR for what ends a watch that can't go on
     * @param version the revision of the change
     * @param state the state that the object has, or had
     */
    record Told(String type, String name, long version, long state) {
        @Override
        public String toString() {
            return type + " " + name + "=" + state + "@" + version;
        }
    }

    /**
     * A watcher, over all connections that it had.
     *
     * @param name whose
     * @param from it began behind this revision
     * @param told what it was told
     */
    record Watched(String name, long from, List<Told> told) {
        Watched {
            told = List.copyOf(told);
        }

        /** Returns the last version that it reached. */
        long through() {
            return told.isEmpty() ? from : told.getLast().version();
        }
    }

    /**
     * Final objects after all writes.
     *
     * @param states the state of each object, as a list says
     * @param version the list's
     * @param told up to which version every watcher has to be told of changes, behind that of the list
     */
    record Finished(Map<String, Long> states, long version, long told) {
        Finished {
            states = Map.copyOf(states);
        }
    }

    /**
     * An answer.
     *
     * @param what who asked what of whom
     * @param allowed whether it is a request that is allowed
     * @param code the answer's
     * @param at when it came
     */
    record Answered(String what, boolean allowed, int code, long at) {}

    /** A write through a server that succeeded. */
    record Served(int server, long called, long returned) {}

    /** A fault, and when it began and ended. */
    record Befallen(String fault, long begun, long ended) {}
}
