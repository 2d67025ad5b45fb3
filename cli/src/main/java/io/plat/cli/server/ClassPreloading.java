package io.plat.cli.server;

import io.plat.process.Tasks;
import java.math.BigDecimal;
import java.net.IDN;
import java.util.Objects;

/** Classes for a request to a server, loaded on another processor while the arguments are parsed and the connection is made. */
public final class ClassPreloading {
    private ClassPreloading() {}

    /** Starts loading. Callers need not wait: a class that is not loaded yet is loaded on use. */
    public static void begin() {
        Tasks.platform("ahead", ClassPreloading::load);
    }

    private static void load() {
        NativeTls.begin();
        // The JDK checks host names with these tables.
        Objects.requireNonNull(IDN.toASCII("name"));
        // A constant of the response parser; the class computes large powers when initialized.
        Objects.requireNonNull(BigDecimal.ONE);
    }
}
