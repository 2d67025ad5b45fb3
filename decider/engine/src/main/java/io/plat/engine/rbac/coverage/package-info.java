/**
 * Coverage of rules by others, for the prevention of privilege escalation (specification, "RBAC mode", 6).
 *
 * <p>Coverage is by atom. An atom is an API group, a resource, a name or none, and a verb; or a path and a verb. Each atom has to be covered by a
 * single held rule; different atoms may be covered by different rules. A wildcard is covered by a wildcard only. The cost is bounded, and a
 * comparison that exceeds the bounds is not covered. May depend on {@code io.plat.engine.rbac} and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.coverage;

import org.jspecify.annotations.NullMarked;
