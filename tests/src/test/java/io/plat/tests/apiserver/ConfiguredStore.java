package io.plat.tests.apiserver;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.util.ArrayList;
import java.util.List;

/** Servers on a store selected by flags, and {@code apiserver-lite} commands on one or two stores. */
final class ConfiguredStore {
    private ConfiguredStore() {}

    /** Starts a server that allows everything, on a directory or an etcd. */
    static RunningServer serve(TestPki pki, List<String> storage) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
        flags.addAll(storage);
        if (!storage.getFirst().startsWith("--data-dir")) {
            flags.add("--storage-backend=etcd3");
        }
        return RunningServer.startReused(Program.APISERVER_LITE, flags);
    }

    /** Runs {@code backup}, {@code migrate} or another command. */
    @SafeVarargs
    static CompletedProcess run(String command, List<String>... flags) {
        Command run = Command.reused(Program.APISERVER_LITE, command);
        for (List<String> some : flags) {
            run = run.with(some.toArray(String[]::new));
        }
        return run.run();
    }
}
