package io.plat.apiserver.filter;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Allows everybody some paths that are no resource ({@code --authorization-always-allow-paths}), before anyone is asked: those of
 * a load balancer's health checks, for example.
 */
public final class AlwaysAllowedPaths implements Authorizer {
    private static final Decision.Allow ALLOWED = FixedGrant.allow(
            "AlwaysAllowedPaths",
            "--authorization-always-allow-paths",
            "allowed by --authorization-always-allow-paths");

    private final Set<String> exact = new HashSet<>();
    private final List<String> prefixes = new ArrayList<>();
    private final Authorizer others;

    /**
     * Allows these paths and asks an authorizer about everything else.
     *
     * @param patterns paths; a {@code *} at the end stands for the rest
     */
    public AlwaysAllowedPaths(List<String> patterns, Authorizer others) {
        for (String pattern : patterns) {
            if (pattern.endsWith("*")) {
                prefixes.add(pattern.substring(0, pattern.length() - 1));
            } else {
                exact.add(pattern);
            }
        }
        this.others = others;
    }

    @Override
    public Decision authorize(Attributes attributes) {
        if (attributes.access() instanceof NonResourceAttributes access
                && (exact.contains(access.path()) || prefixes.stream().anyMatch(access.path()::startsWith))) {
            return ALLOWED;
        }
        return others.authorize(attributes);
    }

    @Override
    public boolean decidesFromMemory() {
        return others.decidesFromMemory();
    }
}
