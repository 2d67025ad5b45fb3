package io.plat.tests.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Storage of API servers under test: the directory that a test names, or, with {@code -Dplat.storage=etcd3}, one etcd for all tests, with a
 * prefix for each directory. So every test of an API server covers both backends; tests of the directory itself are marked {@link EmbeddedOnly}.
 */
public final class ChosenStorage {
    private static final String DIRECTORY = "--data-dir=";
    private static final String HISTORY = "--watch-history=";
    private static final boolean ETCD = etcdChosen();

    /** Exclusive etcds, by directory. */
    private static final Map<String, EtcdServer> OWN = new ConcurrentHashMap<>();

    private ChosenStorage() {}

    /** Started with the first server, stopped after the tests. */
    private static final class Shared {
        static final EtcdServer ETCD = endedWithTheTests();
    }

    /** An invalid value would silently run the tests on a directory. */
    private static boolean etcdChosen() {
        String chosen = System.getProperty("plat.storage", "embedded");
        return switch (chosen) {
            case "embedded" -> false;
            case "etcd3" -> true;
            default ->
                throw new IllegalArgumentException(
                        "plat.storage: \"" + chosen + "\" is wrong, expected embedded or etcd3");
        };
    }

    private static EtcdServer endedWithTheTests() {
        EtcdServer etcd = EtcdServer.startRequired();
        Runtime.getRuntime().addShutdownHook(new Thread(etcd::close));
        return etcd;
    }

    /** Returns the name of the backend, as in {@code --storage-backend} and metrics. */
    public static String backend() {
        return ETCD ? "etcd3" : "embedded";
    }

    /** Returns the name of the readiness check of the storage. */
    public static String check() {
        return ETCD ? "etcd" : "storage";
    }

    /**
     * Returns the flags of an API server, with the selected storage. An etcd compacts all keys at once, so that a server with a history
     * limit has its own.
     */
    static List<String> in(List<String> flags) {
        return flags.stream().anyMatch(flag -> flag.startsWith(HISTORY))
                ? alone(flags)
                : in(flags, directory -> Shared.ETCD);
    }

    /** Returns the flags with an exclusive etcd, as the versions of all keys in an etcd have one counter. */
    static List<String> alone(List<String> flags) {
        return in(flags, directory -> OWN.computeIfAbsent(directory, absent -> endedWithTheTests()));
    }

    private static List<String> in(List<String> flags, Function<String, EtcdServer> etcd) {
        if (!ETCD) {
            return flags;
        }
        List<String> chosen = new ArrayList<>();
        for (String flag : flags) {
            if (flag.startsWith(DIRECTORY)) {
                chosen.addAll(List.of(
                        "--storage-backend=etcd3",
                        "--etcd-servers=" + etcd.apply(flag).url(),
                        "--etcd-prefix=" + prefix(flag)));
            } else {
                chosen.add(flag);
            }
        }
        return chosen;
    }

    /** A server restarted with the same directory uses the same data. */
    private static String prefix(String directory) {
        return "/" + UUID.nameUUIDFromBytes(directory.getBytes(StandardCharsets.UTF_8));
    }
}
