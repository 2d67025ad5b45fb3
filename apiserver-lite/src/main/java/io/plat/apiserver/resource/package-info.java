/**
 * The resource API without a transport: which types are served, and what create, get, list, update and delete do to them.
 *
 * <p>Types are data, read from the catalog and the schemas that ship beside this package; a further type is a row. Every
 * refusal is a {@link io.plat.review.status.StatusException} in the field's own words. Knows no HTTP; stands on
 * {@code io.plat.apiserver.storage} and the role model of {@code io.plat.engine.rbac}.
 */
@NullMarked
package io.plat.apiserver.resource;

import org.jspecify.annotations.NullMarked;
