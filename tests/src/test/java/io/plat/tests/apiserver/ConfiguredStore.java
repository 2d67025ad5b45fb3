package io.plat.tests.apiserver;

import io.plat.tests.process.Command;
import io.plat.tests.process.Finished;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.util.ArrayList;
import java.util.List;

/** Servers on a store that flags name, and the commands of {@code apiserver-lite} on one or two. */
final class FlaggedStore {
    private FlaggedStore() {}

    /** A server that allows everything, on a folder or an etcd. */
    static RunningServer serve(TestPki pki, List<String> storage) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
        flags.addAll(storage);
        if (!storage.getFirst().startsWith("--data-dir")) {
            flags.add("--storage-backend=etcd3");
        }
        return RunningServer.start(Program.APISERVER_LITE, flags);
    }

    /** A run of {@code backup}, {@code migrate} or another command. */
    @SafeVarargs
    static Finished run(String command, List<String>... flags) {
        Command run = Command.of(Program.APISERVER_LITE, command);
        for (List<String> some : flags) {
            run = run.with(some.toArray(String[]::new));
        }
        return run.run();
    }
}
