/**
 * Whether some rules grant no more than others, and what they grant beyond: what prevention of escalation compares (specification,
 * "RBAC mode", 6).
 *
 * <p>Rule: coverage is by atom. One is an API group, a resource, a name or none, and a verb; or a path and a verb. Each has to lie
 * inside one held rule, different ones may lie in different rules. A wildcard is covered by a wildcard only. The cost is bounded, and
 * what can't be compared within bounds is not covered. May depend on {@code io.plat.engine.rbac} and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.coverage;

import org.jspecify.annotations.NullMarked;
