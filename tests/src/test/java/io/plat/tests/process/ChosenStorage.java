package io.plat.tests.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Where API servers under test keep their objects: in the folder that a test names, or, with {@code -Dplat.storage=etcd3}, in one etcd for all
 * tests, under a prefix for each such folder. So every test of what an API server does is one of both backends.
 */
final class ChosenStorage {
    private static final String FOLDER = "--data-dir=";
    private static final boolean ETCD = System.getProperty("plat.storage", "").equals("etcd3");

    private ChosenStorage() {}

    /** Started with the first server, ended with the tests. */
    private static final class Shared {
        static final EtcdServer ETCD = EtcdServer.start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(ETCD::close));
        }
    }

    /** The flags of an API server, with the storage that was chosen. */
    static List<String> in(List<String> flags) {
        if (!ETCD) {
            return flags;
        }
        List<String> chosen = new ArrayList<>();
        for (String flag : flags) {
            if (flag.startsWith(FOLDER)) {
                chosen.addAll(List.of(
                        "--storage-backend=etcd3",
                        "--etcd-servers=" + Shared.ETCD.url(),
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
