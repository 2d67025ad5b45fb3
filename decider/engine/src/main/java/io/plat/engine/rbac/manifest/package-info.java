/**
 * Role objects in files: YAML or JSON, several documents in one, single objects or lists, in both vocabularies.
 *
 * <p>Every problem is reported with its file and line. What belongs to another API group is left out with a warning, so that a
 * folder may hold a whole deployment; what belongs to this one and is not understood is a problem, never left out. May
 * depend on {@code io.plat.engine.rbac} and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.manifest;

import org.jspecify.annotations.NullMarked;
