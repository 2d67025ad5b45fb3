package io.plat.engine.webhook;

import io.plat.client.remote.HostProgram;
import io.plat.process.BackgroundLoop;
import io.plat.process.Tasks;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The supervised loops of this process, and its log, for the client of deciders. */
final class SupervisedLoops implements HostProgram {
    private static final Logger LOG = LoggerFactory.getLogger("io.plat.client");

    @Override
    public Loop loop(String name, boolean mostlyWaits, Round round) {
        return new Supervised(
                mostlyWaits
                        ? BackgroundLoop.virtual(name, round::perform)
                        : BackgroundLoop.platform(name, round::perform));
    }

    @Override
    public Executor executor() {
        return task -> Tasks.virtual("webhook", task);
    }

    @Override
    public void log(System.Logger.Level level, String line) {
        switch (level) {
            case ERROR -> LOG.error("{}", line);
            case WARNING -> LOG.warn("{}", line);
            case INFO -> LOG.info("{}", line);
            case ALL, TRACE, DEBUG, OFF -> LOG.debug("{}", line);
        }
    }

    private record Supervised(BackgroundLoop loop) implements Loop {
        @Override
        public void start() {
            var unused = loop.start();
        }

        @Override
        public void signal() {
            loop.signal();
        }

        @Override
        public void finish() {
            loop.finish();
        }

        @Override
        public void close() {
            loop.close();
        }
    }
}
