package io.plat.tests.drill;

import io.plat.tests.drill.Seen.Acknowledged;
import io.plat.tests.drill.Seen.Answered;
import io.plat.tests.drill.Seen.Befallen;
import io.plat.tests.drill.Seen.Finished;
import io.plat.tests.drill.Seen.Served;
import io.plat.tests.drill.Seen.Watched;
import io.plat.tests.linear.Operation;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Records of clients while they run. Thread-safe. */
final class Notes {
    private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
    private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<Answered> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Served> served = new ConcurrentLinkedQueue<>();
    private final Queue<Served> recent = new ConcurrentLinkedQueue<>();
    private final Queue<Befallen> faults = new ConcurrentLinkedQueue<>();

    void operation(Operation operation) {
        operations.add(operation);
    }

    void acknowledged(String name, long state, boolean removal) {
        acknowledged.add(new Acknowledged(name, state, removal));
    }

    void answered(String what, boolean allowed, int code) {
        answers.add(new Answered(what, allowed, code, System.nanoTime()));
    }

    void served(int server, long called) {
        var one = new Served(server, called, System.nanoTime());
        served.add(one);
        recent.add(one);
    }

    void befell(Befallen fault) {
        faults.add(fault);
        recent.removeIf(one -> one.called() < fault.ended());
    }

    /** Returns the servers that responded since the last fault. */
    List<Served> servedSince() {
        return List.copyOf(recent);
    }

    List<Operation> operations() {
        return List.copyOf(operations);
    }

    Seen seen(List<Watched> watches, Finished finished) {
        return new Seen(
                List.copyOf(operations),
                List.copyOf(acknowledged),
                watches,
                finished,
                List.copyOf(answers),
                List.copyOf(served),
                List.copyOf(faults));
    }
}
