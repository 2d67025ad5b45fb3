package io.plat.tests.linear;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a linearization of a history: an order of operations that one register per key permits, in which each operation takes effect
 * between its call and its return.
 *
 * <p>The algorithm is that of Wing and Gong, "Testing and verifying concurrent objects" (1993), with the cache of Lowe, "Testing for
 * linearizability" (2017), of combinations of completed operations and state. Keys are independent and searched separately (Herlihy and
 * Wing 1990, locality). An operation without a response may be placed anywhere after its call, or omitted.
 */
public final class Linearizability {
    private Linearizability() {}

    /** Returns the reason why a history is not linearizable; empty if it is. */
    public static Optional<String> violation(List<Operation> history) {
        Map<String, List<Operation>> byKey =
                history.stream().collect(Collectors.groupingBy(Operation::key, TreeMap::new, Collectors.toList()));
        return byKey.entrySet().stream()
                .filter(register -> !new Search(register.getValue()).succeeds())
                .findFirst()
                .map(register -> "no order explains key " + register.getKey() + ":\n"
                        + register.getValue().stream()
                                .sorted(Comparator.comparingLong(Operation::called))
                                .map(String::valueOf)
                                .collect(Collectors.joining("\n")));
    }

    /** An event of the history: a call, or its return. Doubly linked, so that operations can be removed and reinserted. */
    private static final class Node {
        final int operation;
        final boolean call;

        @Nullable
        Node match;

        @Nullable
        Node before;

        @Nullable
        Node next;

        Node(int operation, boolean call) {
            this.operation = operation;
            this.call = call;
        }
    }

    private record VisitedState(BitSet done, long state) {}

    private record Step(Node call, long before) {}

    /** Search for one key. */
    private static final class Search {
        private final List<Operation> operations;
        private final Node head = new Node(-1, false);
        private final BitSet done = new BitSet();
        private final Set<VisitedState> seen = new HashSet<>();
        private final Deque<Step> steps = new ArrayDeque<>();
        private int answered;
        private long state;

        Search(List<Operation> all) {
            operations = all;
            List<Node> events = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                Node call = new Node(i, true);
                Node back = new Node(i, false);
                call.match = back;
                back.match = call;
                events.add(call);
                events.add(back);
                if (all.get(i).returned() != Long.MAX_VALUE) {
                    answered++;
                }
            }
            // At the same time a call precedes: that permits more orders, never fewer.
            events.sort(Comparator.comparingLong(this::time).thenComparing(event -> !event.call));
            Node last = head;
            for (Node event : events) {
                last.next = event;
                event.before = last;
                last = event;
            }
        }

        private long time(Node event) {
            Operation operation = operations.get(event.operation);
            return event.call ? operation.called() : operation.returned();
        }

        boolean succeeds() {
            Node at = head.next;
            while (answered > 0) {
                if (at != null && at.call) {
                    Node taken = at;
                    at = take(taken) ? head.next : taken.next;
                } else {
                    // A return whose call has not been placed, or the end: backtrack.
                    Step wrong = steps.pollLast();
                    if (wrong == null) {
                        return false;
                    }
                    putBack(wrong);
                    at = wrong.call().next;
                }
            }
            return true;
        }

        /** Places an operation next, if the register permits it and this has not been tried. */
        private boolean take(Node call) {
            OptionalLong after = operations.get(call.operation).after(state);
            if (after.isEmpty()) {
                return false;
            }
            done.set(call.operation);
            if (!seen.add(new VisitedState((BitSet) done.clone(), after.getAsLong()))) {
                done.clear(call.operation);
                return false;
            }
            steps.addLast(new Step(call, state));
            state = after.getAsLong();
            count(call, -1);
            lift(call);
            lift(match(call));
            return true;
        }

        private void putBack(Step step) {
            Node call = step.call();
            state = step.before();
            done.clear(call.operation);
            count(call, 1);
            drop(match(call));
            drop(call);
        }

        private void count(Node call, int change) {
            if (operations.get(call.operation).returned() != Long.MAX_VALUE) {
                answered += change;
            }
        }

        private static Node match(Node call) {
            Node match = call.match;
            if (match == null) {
                throw new IllegalStateException("a call without its return");
            }
            return match;
        }

        private static void lift(Node event) {
            Node before = event.before;
            Node next = event.next;
            if (before != null) {
                before.next = next;
            }
            if (next != null) {
                next.before = before;
            }
        }

        private static void drop(Node event) {
            Node before = event.before;
            Node next = event.next;
            if (before != null) {
                before.next = event;
            }
            if (next != null) {
                next.before = event;
            }
        }
    }
}
