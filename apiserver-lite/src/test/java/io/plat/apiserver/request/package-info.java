/** Tests of what a request asks for. */
@NullMarked
package io.plat.apiserver.request;

import org.jspecify.annotations.NullMarked;
