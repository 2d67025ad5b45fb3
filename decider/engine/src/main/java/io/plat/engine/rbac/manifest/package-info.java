/**
 * Role objects in files: YAML or JSON, several documents in one, single objects or lists, in both vocabularies.
 *
 * <p>Every problem is reported with its file and line. Objects of other API groups are ignored with a warning, so that a directory may have a whole
 * deployment; an unknown part of an object of this group is a problem, never ignored. May depend on {@code io.plat.engine.rbac} and
 * {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.manifest;

import org.jspecify.annotations.NullMarked;
