package io.plat.cli.pki;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Says which files a command wrote. */
final class Written {
    private Written() {}

    static void print(@Nullable CommandSpec spec, PairFiles files) {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.print("wrote " + files.certificate() + "\nwrote " + files.key() + "\n");
        out.flush();
    }
}
