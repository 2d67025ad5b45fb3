package io.plat.tests.drill;

import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import java.util.List;

/** One of the programs, which is killed and restarted with the same flags, on a free port. */
final class RestartableProgram implements AutoCloseable {
    private final Program program;
    private final List<String> flags;
    private volatile RunningServer running;

    RestartableProgram(Program program, List<String> flags) {
        this.program = program;
        this.flags = List.copyOf(flags);
        this.running = RunningServer.start(program, this.flags);
    }

    int port() {
        return running.port();
    }

    void kill() {
        running.kill();
    }

    void restart() {
        RunningServer previous = running;
        running = RunningServer.start(program, flags);
        previous.close();
    }

    void pause() {
        Signals.pause(running.pid());
    }

    void resume() {
        Signals.resume(running.pid());
    }

    @Override
    public void close() {
        running.close();
    }
}
