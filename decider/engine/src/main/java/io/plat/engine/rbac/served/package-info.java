/**
 * Decoding of an API server's responses about role objects of {@code rbac.authorization.k8s.io/v1}: pages of lists and events of watches, in JSON.
 *
 * <p>A malformed or unexpected response is rejected as a whole. An unusable object within it is reported separately, and grants nothing; the
 * others remain usable. Objects are read by the reader of files. May depend on {@code io.plat.engine.rbac},
 * {@code io.plat.engine.rbac.manifest}, {@code io.plat.engine.lookup} and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.served;

import org.jspecify.annotations.NullMarked;
