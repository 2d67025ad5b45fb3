package io.plat.tests.drill;

import io.plat.tests.linear.Operation;
import java.util.List;
import java.util.Map;

/**
 * Observations of clients, with times in nanoseconds of one clock.
 *
 * @param operations operations on registers, with responses
 * @param acknowledged successful writes
 * @param watches events of each watcher
 * @param finished final state
 * @param answers responses to users who are allowed everything, and to users who are allowed nothing
 * @param served times of successful writes through each server
 * @param faults injected faults
 */
record Observations(
        List<Operation> operations,
        List<Acknowledged> acknowledged,
        List<WatcherLog> watches,
        FinalState finished,
        List<RecordedDecision> answers,
        List<ServedRequest> served,
        List<InjectedFault> faults) {
    Observations {
        operations = List.copyOf(operations);
        acknowledged = List.copyOf(acknowledged);
        watches = List.copyOf(watches);
        answers = List.copyOf(answers);
        served = List.copyOf(served);
        faults = List.copyOf(faults);
    }

    /**
     * An acknowledged write.
     *
     * @param name the object
     * @param state state that was written, or that was removed; unique among writes
     * @param removal whether the object was removed
     */
    record Acknowledged(String name, long state, boolean removal) {}

    /**
     * A watch event.
     *
     * @param type ADDED, MODIFIED or DELETED; ERROR for one that ends a watch
     * @param version revision of the change
     * @param state new or last state of the object
     */
    record WatchedEvent(String type, String name, long version, long state) {
        @Override
        public String toString() {
            return type + " " + name + "=" + state + "@" + version;
        }
    }

    /**
     * Events of a watcher, over all of its connections.
     *
     * @param name name of the watcher
     * @param from revision after which it started
     * @param events received events
     */
    record WatcherLog(String name, long from, List<WatchedEvent> events) {
        WatcherLog {
            events = List.copyOf(events);
        }

        /** Returns the last version that it reached. */
        long through() {
            return events.isEmpty() ? from : events.getLast().version();
        }
    }

    /**
     * Final state after all writes.
     *
     * @param states state of each object in a list
     * @param version version of the list
     * @param required version up to which every watcher must have received changes, after that of the list
     */
    record FinalState(Map<String, Long> states, long version, long required) {
        FinalState {
            states = Map.copyOf(states);
        }
    }

    /**
     * A response with regard to authorization.
     *
     * @param what the request
     * @param allowed whether it is allowed
     * @param code status code
     * @param at time of the response
     */
    record RecordedDecision(String what, boolean allowed, int code, long at) {}

    /** A successful write through a server. */
    record ServedRequest(int server, long called, long returned) {}

    /** A fault, with its start and end. */
    record InjectedFault(String fault, long begun, long ended) {}
}
