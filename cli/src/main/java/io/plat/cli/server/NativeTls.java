package io.plat.cli.server;

import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * TLS, and the signatures of certificates, by a native library (Conscrypt): a run is too short for the JDK's own, which are interpreted and
 * whose tables of curves are computed each time. Trust is decided by the same classes in both cases. The launcher sets the library's location
 * ({@code plat.native}); without it, on another platform, or after a failed handshake, the JDK's TLS is used, whose messages are reported to the
 * user.
 */
final class NativeTls {
    private static final String LIBRARY_PROPERTY = "plat.native";
    private static final String PROVIDER = "org.conscrypt.OpenSSLProvider";

    /** Used services of the library; its others differ from the JDK. */
    private static final Set<String> USED_SERVICES = Set.of(
            "SSLContext.TLS",
            "KeyFactory.EC",
            "KeyFactory.RSA",
            "Signature.SHA256withECDSA",
            "Signature.SHA384withECDSA",
            "Signature.SHA512withECDSA",
            "Signature.SHA256withRSA",
            "Signature.SHA384withRSA",
            "Signature.SHA512withRSA");

    /** Supported key algorithms for handshake signatures. */
    private static final Set<String> KEY_ALGORITHMS = Set.of("EC", "RSA");

    private static final Pattern ALERT = Pattern.compile("OPENSSL_internal:[A-Z0-9]+_(?:ALERT_)?([A-Z_]+)");

    /** The JDK's messages contain the name of an alert twice. */
    private static final Pattern REPEATED_ALERT = Pattern.compile("^\\(([a-z_]+)\\) (Received fatal alert: )\\1$");

    /** Loads the library once; concurrent callers wait. */
    private static final FutureTask<Provider> LIBRARY = new FutureTask<>(NativeTls::load);

    private static @Nullable Provider provider;
    private static boolean disabled = System.getProperty(LIBRARY_PROPERTY) == null;

    private NativeTls() {}

    /** Loads the library, if enabled, before {@link #prefer} needs it. */
    static void begin() {
        if (System.getProperty(LIBRARY_PROPERTY) != null) {
            LIBRARY.run();
        }
    }

    /** Uses the library from now on, if enabled and possible. */
    static synchronized void prefer() {
        if (provider != null || disabled) {
            return;
        }
        // Adding a provider loads all others first; this overlaps with loading the library.
        Objects.requireNonNull(Security.getProviders());
        LIBRARY.run();
        try {
            Provider library = LIBRARY.get();
            Security.insertProviderAt(library, 1);
            provider = library;
        } catch (ExecutionException missing) {
            disabled = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            disabled = true;
        }
    }

    private static Provider load() throws ReflectiveOperationException {
        Provider library = Class.forName(PROVIDER)
                .asSubclass(Provider.class)
                .getConstructor()
                .newInstance();
        for (Object name : List.copyOf(library.keySet())) {
            if (!isUsed(name.toString())) {
                library.remove(name);
            }
        }
        return library;
    }

    /** Returns whether this is a used service, an attribute of one, or metadata of the provider. */
    private static boolean isUsed(String name) {
        int attribute = name.indexOf(' ');
        return name.startsWith("Provider.")
                || USED_SERVICES.contains(attribute < 0 ? name : name.substring(0, attribute));
    }

    /** Returns whether the library supports a handshake with a key of this algorithm. */
    static boolean signsWith(String algorithm) {
        return KEY_ALGORITHMS.contains(algorithm);
    }

    /** Switches to the JDK's TLS; returns whether that is a change. */
    static synchronized boolean fallBackToJdk() {
        disabled = true;
        if (provider == null) {
            return false;
        }
        Security.removeProvider(provider.getName());
        provider = null;
        return true;
    }

    /** Returns the library's message in the form of the JDK, with the alert's name once; other messages unchanged. */
    static String jdkMessage(String message) {
        Matcher alert = ALERT.matcher(message);
        return alert.find()
                ? "Received fatal alert: " + alert.group(1).toLowerCase(Locale.ROOT)
                : REPEATED_ALERT.matcher(message).replaceFirst("$2$1");
    }
}
