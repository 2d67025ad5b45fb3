package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lookups in role objects, whether or not they are indexed. */
interface RoleObjects {
    /** Returns an Allow if a rule covers the request, or null. */
    Decision.@Nullable Allow find(Attributes attributes);

    /**
     * Visits every binding whose role exists, with the role, in no particular order.
     *
     * @param wanted filter of bindings, applied before the role lookup, which takes longer
     */
    void forEachBinding(Predicate<RbacBinding> wanted, BiConsumer<RbacBinding, CompiledRole> visitor);

    /**
     * Visits every rule that a user holds in a namespace, possibly repeatedly. Rules for paths are included only if granted by cluster bindings.
     *
     * @param namespace never {@code ""}
     */
    void forEachRule(UserInfo user, String namespace, Consumer<RbacRule> visitor);

    /** Returns all role objects, in no particular order. */
    RbacPolicy policy();
}
