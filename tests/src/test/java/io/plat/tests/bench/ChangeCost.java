package io.plat.tests.bench;

import io.plat.engine.Decision;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.Attributes;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Cost of a large policy, and of changing one object in it.
 *
 * @param shape distribution of the bindings
 * @param megabytes heap size of the role objects and their index
 * @param compileMillis time to compile all of them
 * @param binding milliseconds until an added or removed binding is in effect
 * @param role the same for a changed role
 */
record ChangeCost(RbacShape shape, double megabytes, double compileMillis, Spread binding, Spread role) {
    private static final int ROUNDS = 60;
    private static final double MILLION = 1e6;

    /** Median and maximum of several times, in milliseconds. */
    record Spread(double median, double worst) {
        static Spread of(double[] millis) {
            double[] sorted = millis.clone();
            Arrays.sort(sorted);
            return new Spread(sorted[sorted.length / 2], sorted[sorted.length - 1]);
        }
    }

    static ChangeCost measure(RbacShape shape, int size) {
        long before = used();
        RbacPolicy policy = shape.policy(size);
        long start = System.nanoTime();
        RbacIndex index = RbacIndex.of(policy);
        double compiled = (System.nanoTime() - start) / MILLION;
        double megabytes = (used() - before) / MILLION;
        CurrentRbac current = new CurrentRbac();
        current.replace(index);
        RbacAuthorizer authorizer = new RbacAuthorizer(current, "");
        double[] bindings = new double[2 * ROUNDS];
        double[] roles = new double[2 * ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            int i = (int) ((long) round * size / ROUNDS);
            RbacBinding binding = policy.bindings().get(i);
            RbacRole role = policy.roles().get(policy.roles().size() == 1 ? 0 : i);
            RbacRole empty = new RbacRole(role.key(), role.labels(), List.of(), null, null);
            Attributes request = shape.request(i);
            bindings[2 * round] = time(
                    authorizer, request, false, () -> current.change(Collections.singletonMap(binding.key(), null)));
            bindings[2 * round + 1] =
                    time(authorizer, request, true, () -> current.change(Map.of(binding.key(), binding)));
            roles[2 * round] = time(authorizer, request, false, () -> current.change(Map.of(empty.key(), empty)));
            roles[2 * round + 1] = time(authorizer, request, true, () -> current.change(Map.of(role.key(), role)));
        }
        return new ChangeCost(shape, megabytes, compiled, Spread.of(bindings), Spread.of(roles));
    }

    private static double time(RbacAuthorizer authorizer, Attributes request, boolean allows, Runnable change) {
        long start = System.nanoTime();
        change.run();
        boolean allowed = authorizer.authorize(request) instanceof Decision.Allow;
        double millis = (System.nanoTime() - start) / MILLION;
        if (allowed != allows) {
            throw new IllegalStateException("the change was not followed: " + request);
        }
        return millis;
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Override
    public String toString() {
        return String.format(
                "%-14s 100,000 bindings: %6.1f MB, compiled in %6.0f ms; one binding %.2f ms (worst %.2f); one role %.2f ms"
                        + " (worst %.2f); target 150 MB and 5 ms",
                shape, megabytes, compileMillis, binding.median(), binding.worst(), role.median(), role.worst());
    }
}
