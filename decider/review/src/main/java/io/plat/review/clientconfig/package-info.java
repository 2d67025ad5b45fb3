/**
 * The client configuration file: which server to ask, whom to trust and which credential to present.
 *
 * <p>The format is the field's own (specification, "Remote-decision configuration file"). A file may describe many servers and
 * users; only those of the context in use are judged, all their problems at once and each with its line. What resolves can be
 * used. A credential never appears in a message or a {@code toString}. Depends on {@code io.plat.review.source} and on
 * {@code io.plat.tls} for the places of PEM text.
 */
@NullMarked
package io.plat.review.clientconfig;

import org.jspecify.annotations.NullMarked;
