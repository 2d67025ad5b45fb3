/**
 * Kubernetes' default role objects, as a manifest for each version. May depend on {@code io.plat.engine.rbac} and {@code
 * io.plat.engine.rbac.manifest}.
 */
@NullMarked
package io.plat.engine.rbac.defaults;

import org.jspecify.annotations.NullMarked;
