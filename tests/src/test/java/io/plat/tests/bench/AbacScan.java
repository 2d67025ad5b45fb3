package io.plat.tests.bench;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;

/** The alternative: scans the lines until one matches. Supports users and resources only, as used here. */
final class AbacScan implements Authorizer {
    private static final Decision.Allow ALLOW = FixedGrant.allow("scan", "", "");

    private final AbacPolicy policy;

    AbacScan(AbacPolicy policy) {
        this.policy = policy;
    }

    @Override
    public Decision authorize(Attributes request) {
        if (request.access() instanceof ResourceAttributes resource) {
            for (AbacLine line : policy.lines()) {
                if (is(line.user(), request.user().name())
                        && is(line.apiGroup(), resource.group())
                        && is(line.namespace(), resource.namespace())
                        && is(line.resource(), resource.resource())) {
                    return ALLOW;
                }
            }
        }
        return Decision.NoOpinion.SILENT;
    }

    private static boolean is(String written, String requested) {
        return written.equals(AbacLine.ANY) || written.equals(requested);
    }
}
