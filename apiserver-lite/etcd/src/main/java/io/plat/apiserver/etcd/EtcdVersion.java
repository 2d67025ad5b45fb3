package io.plat.apiserver.etcd;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What can be relied on in which version of etcd. */
final class EtcdVersion {
    private static final Pattern VERSION = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,4})\\.([0-9]{1,4}).*");

    private EtcdVersion() {}

    /**
     * Whether a member that is asked how far a watch is has told it everything up to there: since 3.4.31 and 3.5.13 it has, where others
     * use the same etcd too.
     */
    static boolean tellsProgressInOrder(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return false;
        }
        int major = Integer.parseInt(parts.group(1));
        int minor = Integer.parseInt(parts.group(2));
        int patch = Integer.parseInt(parts.group(3));
        return major > 3 || (major == 3 && (minor > 5 || (minor == 5 && patch >= 13) || (minor == 4 && patch >= 31)));
    }
}
