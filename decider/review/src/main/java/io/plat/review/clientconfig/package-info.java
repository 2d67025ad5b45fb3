/**
 * The client configuration file: server, trusted CAs and credentials.
 *
 * <p>The format is kubeconfig (specification, "Remote-decision configuration file"). A file may have many servers and users; only those of the
 * current context are validated, all their problems at once and each with its line. A resolved connection is usable. A credential never appears
 * in a message or a {@code toString}. Depends on {@code io.plat.review.source} and on {@code io.plat.tls} for sources of PEM text.
 */
@NullMarked
package io.plat.review.clientconfig;

import org.jspecify.annotations.NullMarked;
