package io.plat.tests.drill;

import io.plat.tests.drill.Observations.Acknowledged;
import io.plat.tests.drill.Observations.FinalState;
import io.plat.tests.drill.Observations.InjectedFault;
import io.plat.tests.drill.Observations.RecordedDecision;
import io.plat.tests.drill.Observations.ServedRequest;
import io.plat.tests.drill.Observations.WatcherLog;
import io.plat.tests.linear.Operation;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Recorder of the clients' observations. Thread-safe. */
final class ObservationRecorder {
    private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
    private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<RecordedDecision> answers = new ConcurrentLinkedQueue<>();
    private final Queue<ServedRequest> served = new ConcurrentLinkedQueue<>();
    private final Queue<ServedRequest> recent = new ConcurrentLinkedQueue<>();
    private final Queue<InjectedFault> faults = new ConcurrentLinkedQueue<>();

    void operation(Operation operation) {
        operations.add(operation);
    }

    void acknowledged(String name, long state, boolean removal) {
        acknowledged.add(new Acknowledged(name, state, removal));
    }

    void answered(String what, boolean allowed, int code) {
        answers.add(new RecordedDecision(what, allowed, code, System.nanoTime()));
    }

    void served(int server, long called) {
        var one = new ServedRequest(server, called, System.nanoTime());
        served.add(one);
        recent.add(one);
    }

    void inject(InjectedFault fault) {
        faults.add(fault);
        recent.removeIf(one -> one.called() < fault.ended());
    }

    /** Returns the servers that responded since the last fault. */
    List<ServedRequest> servedSince() {
        return List.copyOf(recent);
    }

    List<Operation> operations() {
        return List.copyOf(operations);
    }

    Observations observations(List<WatcherLog> watches, FinalState finished) {
        return new Observations(
                List.copyOf(operations),
                List.copyOf(acknowledged),
                watches,
                finished,
                List.copyOf(answers),
                List.copyOf(served),
                List.copyOf(faults));
    }
}
