package io.plat.cli.question;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.NearestName;
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

    /** A line about the verb of an access where it is not known, else none. */
    public static List<String> problem(AccessAttributes access) {
        Set<String> known = new TreeSet<>(access instanceof NonResourceAttributes ? OF_PATHS : OF_RESOURCES);
        if (access instanceof ResourceAttributes) {
            known.addAll(SPECIAL);
        }
        String verb = access.verb();
        return known.contains(verb)
                ? List.of()
                : List.of("the verb " + Quoted.of(verb) + " is not known" + NearestName.suggestion(verb, known));
    }
}
