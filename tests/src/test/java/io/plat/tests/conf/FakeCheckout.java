package io.plat.tests.conf;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Scripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A built checkout with the real quickstart and shell scripts as programs: servers that do not listen, and a plat with the expected
 * answers.
 */
record FakeCheckout(Path root) {
    private static final String SERVER = """
            #!/usr/bin/env bash
            echo "$$" > "%s"
            echo "listening on https://127.0.0.1:1"
            exec sleep 600
            """;
    private static final String PLAT = """
            #!/usr/bin/env bash
            case $1 in
              --version) exit ;;
              pki)
                while [ "$1" != --dir ]; do shift; done
                mkdir -p "$2"
                touch "$2/ca.crt"
                exit
                ;;
            esac
            user=${2##*/}
            shift 3
            while read -r word asked expected question; do
              if [ "$word $asked ${question//\\'/}" = "ask ${user%.conf} $*" ]; then echo "$expected"; fi
            done < conf/quickstart
            """;

    /** Creates one in an empty directory. */
    static FakeCheckout in(Path root) throws IOException {
        FakeCheckout checkout = new FakeCheckout(root);
        for (String source : List.of("decider", "decider/server", "apiserver-lite", "cli")) {
            checkout.write(source + "/pom.xml", "");
            checkout.write(source + "/src/main/A.java", "");
        }
        checkout.write("pom.xml", "");
        Scripts.copy(Checkout.path("conf/quickstart"), root.resolve("conf/quickstart"));
        Files.createDirectories(root.resolve("conf/samples/rbac"));
        checkout.program("decider/bin/decider", SERVER.formatted(root.resolve("decider.pid")));
        checkout.program("apiserver-lite/bin/apiserver-lite", SERVER.formatted(root.resolve("apiserver-lite.pid")));
        checkout.program("cli/bin/plat", PLAT);
        checkout.write("decider/server/target/decider-server-1.jar", "");
        checkout.write("apiserver-lite/target/apiserver-lite-1.jar", "");
        checkout.write("cli/target/plat-cli-1.jar", "");
        return checkout;
    }

    private void write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    /** Replaces a program. */
    void program(String name, String script) {
        Scripts.write(root.resolve(name), script);
    }

    /** Returns the process of a server. */
    ProcessHandle server(String name) throws IOException {
        long pid = Long.parseLong(Files.readString(root.resolve(name + ".pid")).strip());
        return ProcessHandle.of(pid).orElseThrow();
    }
}
