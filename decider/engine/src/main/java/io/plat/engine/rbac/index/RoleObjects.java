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
    /** An Allow where a rule covers the request, or null. */
    Decision.@Nullable Allow find(Attributes attributes);

    /**
     * Visits every binding whose role exists, with the role, in no particular order.
     *
     * @param wanted filter of bindings, applied before the role lookup, which takes longer
     */
    void forEachBinding(Predicate<RbacBinding> wanted, BiConsumer<RbacBinding, CompiledRole> visitor);

    /**
     * Visits every rule that a user is given in a namespace or everywhere, some more than once, but for those that grant nothing
     * there: rules for paths count where they are given everywhere.
     *
     * @param namespace never {@code ""}
     */
    void forEachRule(UserInfo user, String namespace, Consumer<RbacRule> visitor);

    /** Everything that there is, in no particular order. */
    RbacPolicy policy();
}
