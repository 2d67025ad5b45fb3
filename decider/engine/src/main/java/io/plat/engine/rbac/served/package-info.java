/**
 * Decoding of an API server's responses about role objects of {@code rbac.authorization.k8s.io/v1}: pages of lists and events of watches, in
 * JSON and in the binary form (specification, "Binary envelope").
 *
 * <p>A malformed or unexpected response is rejected as a whole. An unusable object within it is reported separately, and grants nothing; the
 * others remain usable. Both forms fill one {@link io.plat.engine.rbac.served.ObjectDraft}, so that they yield the same objects. As in files, an
 * unknown field of a rule, a subject or a reference makes the object unusable: it could narrow what the others grant. May depend on
 * {@code io.plat.engine.rbac}, {@code io.plat.engine.lookup} and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.served;

import org.jspecify.annotations.NullMarked;
