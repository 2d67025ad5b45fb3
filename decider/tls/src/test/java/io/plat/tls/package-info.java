/** Real handshakes over loopback sockets, and reloads of the files behind them. */
@NullMarked
package io.plat.tls;

import org.jspecify.annotations.NullMarked;
