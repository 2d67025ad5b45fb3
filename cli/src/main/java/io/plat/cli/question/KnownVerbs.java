package io.plat.cli.question;

import io.plat.review.source.Nearest;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The verbs that requests, and checks within requests, are known to have. */
public final class KnownVerbs {
    /** The verbs of requests for resources, in the order in which people list them. */
    public static final List<String> OF_RESOURCES =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

    /** Checked by servers besides the request's own verb, or sent by clients of earlier versions. */
    private static final Set<String> SPECIAL =
            Set.of("*", "approve", "attest", "bind", "escalate", "impersonate", "proxy", "redirect", "sign", "use");

    private static final Set<String> OF_PATHS = Set.of("*", "get", "put", "post", "patch", "delete", "head", "options");

    private KnownVerbs() {}

    /** What to say of a verb on a resource that is not known; {@code ""} of one that is. */
    static String problemOnResource(String verb) {
        if (OF_RESOURCES.contains(verb) || SPECIAL.contains(verb)) {
            return "";
        }
        Set<String> all = new TreeSet<>(OF_RESOURCES);
        all.addAll(SPECIAL);
        return problem(verb, all);
    }

    /** The same of a verb on a path. */
    static String problemOnPath(String verb) {
        return OF_PATHS.contains(verb) ? "" : problem(verb, OF_PATHS);
    }

    private static String problem(String verb, Set<String> known) {
        return "the verb " + Quoted.of(verb) + " is not known" + Nearest.suggestion(verb, known);
    }
}
