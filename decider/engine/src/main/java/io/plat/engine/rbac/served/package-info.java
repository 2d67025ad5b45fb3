/**
 * What an API server answers about role objects of {@code rbac.authorization.k8s.io/v1}: pages of lists and events of watches, in JSON
 * and in the binary form (specification, "Binary envelope").
 *
 * <p>Rules: an answer that is malformed, or about something else, is refused as a whole; an object in it that can't be used is no
 * reason to refuse the others, is told apart, and grants nothing. Both forms fill one {@link
 * io.plat.engine.rbac.served.ObjectDraft}, so that they give the same objects. As in files, a field of a rule, a subject or a
 * reference that is not known makes the object unusable: it could narrow what the others grant. May depend on
 * {@code io.plat.engine.rbac}, {@code io.plat.engine.lookup} and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.served;

import org.jspecify.annotations.NullMarked;
