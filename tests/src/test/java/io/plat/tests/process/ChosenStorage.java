package io.plat.tests.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Storage of API servers under test: the folder that a test names, or, with {@code -Dplat.storage=etcd3}, one etcd for all tests, with a prefix
 * for each such folder. So every test of what an API server does is one of both backends; what is about the folder itself is marked
 * {@link EmbeddedOnly}.
 */
public final class ChosenStorage {
    private static final String FOLDER = "--data-dir=";
    private static final String HISTORY = "--watch-history=";
    private static final boolean ETCD = etcdChosen();

    /** Those that no other test writes to, by folder. */
    private static final Map<String, EtcdServer> OWN = new ConcurrentHashMap<>();

    private ChosenStorage() {}

    /** Started with the first server, ended with the tests. */
    private static final class Shared {
        static final EtcdServer ETCD = endedWithTheTests();
    }

    /** A word that is none would run the tests on a folder, and say that they pass. */
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

    /** The name of the backend, as {@code --storage-backend} and metrics have it. */
    public static String backend() {
        return ETCD ? "etcd3" : "embedded";
    }

    /** The name of the readiness check of what keeps the objects. */
    public static String check() {
        return ETCD ? "etcd" : "storage";
    }

    /**
     * The flags of an API server, with the storage that was chosen. An etcd forgets the history of all its keys at once: a server that
     * is told how much to keep has one of its own.
     */
    static List<String> in(List<String> flags) {
        return flags.stream().anyMatch(flag -> flag.startsWith(HISTORY))
                ? alone(flags)
                : in(flags, folder -> Shared.ETCD);
    }

    /** The same, in an etcd that no other test writes to: each counts the versions of all its keys together. */
    static List<String> alone(List<String> flags) {
        return in(flags, folder -> OWN.computeIfAbsent(folder, absent -> endedWithTheTests()));
    }

    private static List<String> in(List<String> flags, Function<String, EtcdServer> etcd) {
        if (!ETCD) {
            return flags;
        }
        List<String> chosen = new ArrayList<>();
        for (String flag : flags) {
            if (flag.startsWith(FOLDER)) {
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

    /** A server that is started again with the same folder finds what was there. */
    private static String prefix(String folder) {
        return "/" + UUID.nameUUIDFromBytes(folder.getBytes(StandardCharsets.UTF_8));
    }
}
