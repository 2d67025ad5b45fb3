/** Parts of server tests: certificates, and a client that sends arbitrary bytes. Also used by modules that depend on this one. */
@NullMarked
package io.plat.http.testing;

import org.jspecify.annotations.NullMarked;
