package io.plat.cli.server;

import io.plat.process.Tasks;
import java.math.BigDecimal;
import java.net.IDN;
import java.util.Objects;

/** What a question to a server will need, loaded by another processor while its words are read and its connection is made. */
public final class Ahead {
    private Ahead() {}

    /** Begins. Nobody has to wait for the end: what is not there yet when it is needed is waited for or loaded then. */
    public static void begin() {
        Tasks.platform("ahead", Ahead::load);
    }

    private static void load() {
        NativeTls.begin();
        // The JDK's connection looks at every server's name by these tables.
        Objects.requireNonNull(IDN.toASCII("name"));
        // The parser of answers has constants of this class, which computes large powers when it is first used.
        Objects.requireNonNull(BigDecimal.ONE);
    }
}
