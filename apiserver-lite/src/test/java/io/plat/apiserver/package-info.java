/** The whole server in this process, behind real TLS handshakes. */
@NullMarked
package io.plat.apiserver;

import org.jspecify.annotations.NullMarked;
