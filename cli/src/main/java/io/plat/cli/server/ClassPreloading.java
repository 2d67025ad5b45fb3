package io.plat.cli.server;

import io.plat.process.Tasks;
import java.math.BigDecimal;
import java.net.IDN;
import java.util.Objects;

/** Classes for a request to a server, loaded on another processor while the arguments are parsed and the connection is made. */
public final class ClassPreloading {
    private ClassPreloading() {}

    /** Begins. No caller has to wait for the end: a class that is not loaded when it is needed is waited for or loaded then. */
    public static void begin() {
        Tasks.platform("ahead", ClassPreloading::load);
    }

    private static void load() {
        NativeTls.begin();
        // The JDK's connection checks every server's name with these tables.
        Objects.requireNonNull(IDN.toASCII("name"));
        // The parser of answers has constants of this class, which computes large powers when it is first used.
        Objects.requireNonNull(BigDecimal.ONE);
    }
}
