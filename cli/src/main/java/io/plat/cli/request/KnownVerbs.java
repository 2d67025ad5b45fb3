package io.plat.cli.request;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Known verbs of requests and of additional checks. */
public final class KnownVerbs {
    /** Verbs of resource requests, in the usual order. */
    public static final List<String> OF_RESOURCES =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

    /** Verbs of additional checks, or of older clients. */
    private static final Set<String> SPECIAL =
            Set.of("*", "approve", "attest", "bind", "escalate", "impersonate", "proxy", "redirect", "sign", "use");

    private static final Set<String> OF_PATHS = Set.of("*", "get", "put", "post", "patch", "delete", "head", "options");

    private KnownVerbs() {}

    /** Returns a warning about an unknown verb, in a list. */
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
