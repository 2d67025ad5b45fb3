package io.plat.engine.whatif;

import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.rbac.manifest.RbacManifests;
import io.plat.review.ChangeReview;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * An edited policy.
 *
 * @param warnings ignored parts of the request
 */
record EditedPolicy(EffectivePolicy policy, List<Problem> warnings) {
    /** Name of the request's texts in problems. */
    private static final String MANIFESTS = "manifests";

    private static final String LINES = "lines";

    EditedPolicy {
        warnings = List.copyOf(warnings);
    }

    /**
     * Edits the policy in effect.
     *
     * @throws ProblemsException with every problem of the request, or if no mode uses such a policy
     */
    static EditedPolicy of(EffectivePolicy now, ChangeReview change) throws ProblemsException {
        List<Problem> problems = new ArrayList<>();
        List<Problem> warnings = new ArrayList<>();
        List<AbacPolicy> lines = now.lines();
        List<RbacPolicy> roles = now.roles();
        if (change.lines() != null) {
            lines = lines(now, change.lines(), problems);
        }
        if (change.manifests() != null) {
            roles = roles(now, change.manifests(), change.whole(), problems, warnings);
        }
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
        return new EditedPolicy(new EffectivePolicy(lines, roles, now.unexplained()), warnings);
    }

    private static List<AbacPolicy> lines(EffectivePolicy now, String text, List<Problem> problems) {
        if (now.lines().isEmpty()) {
            problems.add(absent(LINES, AbacAuthorizer.MODE));
            return List.of();
        }
        try {
            return List.of(AbacFile.parse(LINES, text));
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
            return List.of();
        }
    }

    private static List<RbacPolicy> roles(
            EffectivePolicy now, String text, boolean whole, List<Problem> problems, List<Problem> warnings) {
        if (now.roles().isEmpty()) {
            problems.add(absent(MANIFESTS, RbacAuthorizer.MODE));
            return List.of();
        }
        try {
            RbacManifestReader reader = new RbacManifestReader();
            reader.add(MANIFESTS, text);
            RbacManifests read = reader.finish();
            warnings.addAll(read.warnings());
            return whole ? List.of(read.policy()) : applied(now.roles(), read.policy());
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
            return List.of();
        }
    }

    private static Problem absent(String what, String mode) {
        return new Problem(new Location(what, 0), "mode " + mode + " does not decide here");
    }

    /** Replaces objects with the same keys in any policy; new ones are added to the last policy. */
    private static List<RbacPolicy> applied(List<RbacPolicy> before, RbacPolicy written) {
        List<RbacPolicy> after = new ArrayList<>();
        Set<ObjectKey> placed = new HashSet<>();
        for (int i = 0; i < before.size(); i++) {
            RbacPolicy one = before.get(i);
            boolean last = i == before.size() - 1;
            after.add(new RbacPolicy(
                    merged(one.roles(), written.roles(), RbacRole::key, last, placed),
                    merged(one.bindings(), written.bindings(), RbacBinding::key, last, placed)));
        }
        return after;
    }

    private static <T> List<T> merged(
            List<T> before, List<T> written, Function<T, ObjectKey> key, boolean last, Set<ObjectKey> placed) {
        Set<ObjectKey> existing = new HashSet<>();
        before.forEach(one -> existing.add(key.apply(one)));
        List<T> applicable = written.stream()
                .filter(one -> existing.contains(key.apply(one)) || (last && !placed.contains(key.apply(one))))
                .toList();
        Set<ObjectKey> replaced = new HashSet<>();
        applicable.forEach(one -> replaced.add(key.apply(one)));
        placed.addAll(replaced);
        List<T> after = new ArrayList<>(before.stream()
                .filter(one -> !replaced.contains(key.apply(one)))
                .toList());
        after.addAll(applicable);
        return after;
    }
}
