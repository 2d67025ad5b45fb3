package io.plat.engine.access;

import io.plat.engine.abac.AbacLine;
import io.plat.engine.rbac.RbacRule;
import java.util.List;

/** Access covered by single rules and lines, regardless of subject. Not thread-safe. */
public final class RuleAccess {
    private final RuleShapes shapes = new RuleShapes(Subresources.ANY);

    /** Returns the access that a rule covers if a ClusterRoleBinding grants it. */
    public AccessSet everywhere(RbacRule rule) {
        return new AccessSet(
                ResourceAccess.of(boxes(rule, Values.ALL)), PathAccess.of(shapes.verbs(rule), rule.nonResourceUrls()));
    }

    private List<Box> boxes(RbacRule rule, Values namespaces) {
        return shapes.of(rule).stream().map(shape -> new Box(shape, namespaces)).toList();
    }

    /** Returns the access that a line covers. */
    public AccessSet of(AbacLine line) {
        Values namespaces = RuleShapes.exactOrAll(line.namespace(), name -> name);
        return new AccessSet(
                line.coversResources()
                        ? ResourceAccess.of(List.of(new Box(shapes.of(line), namespaces)))
                        : ResourceAccess.NONE,
                line.nonResourcePath().isEmpty()
                        ? PathAccess.NONE
                        : PathAccess.of(RuleShapes.verbs(line), List.of(line.nonResourcePath())));
    }
}
