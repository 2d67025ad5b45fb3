/** The whole server in this process, with real TLS handshakes. */
@NullMarked
package io.plat.apiserver;

import org.jspecify.annotations.NullMarked;
