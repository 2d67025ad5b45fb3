package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import java.util.List;

/**
 * What an aggregating role gathers, where the rules that stand in it are others.
 *
 * @param role the role as it stands
 * @param rules what it gathers: by selector, then by the names of the roles picked, each rule once
 */
public record GatheredRules(RbacRole role, List<RbacRule> rules) {
    public GatheredRules {
        rules = List.copyOf(rules);
    }
}
