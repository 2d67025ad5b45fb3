package io.plat.tests.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A machine without a JDK 25: a process whose usual directories are hidden by a mount namespace. */
class NoJdkTest {
    private static final String MISSING =
            "needs JDK 25 or later, but found none in JAVA_HOME, on the PATH or in the usual directories\n";
    private static final String HIDE = """
            for directory in /usr/lib/jvm /opt; do
              if [ -d $directory ]; then mount -t tmpfs none $directory || exit 99; fi
            done
            exec "$0" "$@"
            """;

    @TempDir
    private static Path nothing = Path.of("");

    @BeforeAll
    static void aNamespaceCanBeHad() {
        assumeTrue(Command.installed("unshare"), "no unshare on the PATH");
        assumeTrue(hidden("true").exitStatus() == 0, "mount namespaces are unavailable");
    }

    private static CompletedProcess hidden(String program, String... arguments) {
        return Command.of("unshare", "--user", "--map-root-user", "--mount", "bash", "-c", HIDE, program)
                .with(arguments)
                .withEnvironment("JAVA_HOME", "")
                .withEnvironment("HOME", nothing.toString())
                .withEnvironment("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
                .run();
    }

    @ParameterizedTest
    @EnumSource(Program.class)
    void launchersReportAMissingJdkInOneLine(Program program) {
        String launcher = program.launcher().toString();
        assertThat(hidden(launcher, "--version"))
                .isEqualTo(new CompletedProcess(
                        program == Program.PLAT ? 3 : 1, "", program.launcher().getFileName() + ": " + MISSING));
    }

    @Test
    void quickstartReportsAMissingJdkFirst(@TempDir Path directory) throws IOException {
        FakeCheckout checkout = FakeCheckout.in(directory);
        checkout.program("cli/bin/plat", Files.readString(Checkout.path("cli/bin/plat")));
        assertThat(hidden(directory.resolve("conf/quickstart").toString(), "--once"))
                .isEqualTo(new CompletedProcess(1, "", "quickstart: " + MISSING));
        assertThat(directory.resolve("target/quickstart/pki")).doesNotExist();
    }
}
