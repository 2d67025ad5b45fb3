package io.plat.http.process;

import io.plat.http.HttpLimits;
import io.plat.http.HttpsSettings;
import io.plat.http.WebOrigin;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Common flags of servers: listening address, certificate, allowed origins and log format. */
public final class ListenFlags {
    private static final String JSON = "json";

    private final Flag<InetAddress> address;
    private final Flag<Integer> port;
    private final Flag<Path> certificate;
    private final Flag<Path> key;
    private final Flag<List<WebOrigin>> allowedOrigins;
    private final Flag<String> logFormat;

    public ListenFlags(FlagSet flags) {
        address = flags.value("bind-address", FlagType.ADDRESS);
        port = flags.value("secure-port", FlagType.PORT);
        certificate = flags.required("tls-cert-file", FlagType.PATH);
        key = flags.required("tls-private-key-file", FlagType.PATH);
        allowedOrigins = flags.list("allowed-origins", FlagType.ORIGIN);
        logFormat = flags.value("log-format", FlagType.word(List.of("text", JSON)));
    }

    /** Switches the log of this process to JSON if the flag is set; called before anything is opened. */
    public void configureLog(FlagValues values) {
        if (values.get(logFormat).equals(JSON)) {
            ProcessLogging.configure(true);
        }
    }

    /** Returns the local address to listen on; empty if it is malformed. */
    public Optional<InetAddress> address(FlagValues values) {
        return values.find(address);
    }

    /** Returns the file of the server's certificate. */
    public Path certificate(FlagValues values) {
        return values.get(certificate);
    }

    /** Returns the file of the certificate's key. */
    public Path key(FlagValues values) {
        return values.get(key);
    }

    /**
     * Returns the address and limits to listen with.
     *
     * @param limits limits on one client
     * @param http2 whether HTTP/2 is offered in addition to HTTP/1.1
     */
    public HttpsSettings settings(FlagValues values, HttpLimits limits, boolean http2) {
        return new HttpsSettings(
                values.get(address), values.get(port), limits, http2, Set.copyOf(values.get(allowedOrigins)));
    }
}
