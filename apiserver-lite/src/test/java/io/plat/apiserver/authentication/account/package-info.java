@NullMarked
package io.plat.apiserver.authentication.account;

import org.jspecify.annotations.NullMarked;
