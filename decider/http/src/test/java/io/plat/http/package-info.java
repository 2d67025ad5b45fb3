/** Tests of the front on real sockets: a raw client sends what a well-behaved one never would. */
@NullMarked
package io.plat.http;

import org.jspecify.annotations.NullMarked;
